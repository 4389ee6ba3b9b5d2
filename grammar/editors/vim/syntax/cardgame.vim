" Generated from the grammar of cardgame files by `python -m grammar.highlighting`.
if exists("b:current_syntax")
  finish
endif
syntax keyword cardgameKeyword about add card cardgame deck define enum extends game in invariant option phase play remove replace result set state teams use whenever zones action after all among and any before bottom but by cards case chooses deal each else empty end every exactly face first for from has highest if into is last let lowest match mod move named no not nothing of openly or otherwise player random reopen repeat rounded say secretly show shuffle some swap the then to together top turn until where while with written
syntax keyword cardgameConstant true false none
syntax match cardgamePair /\v<at[ \t]+least>/
syntax match cardgamePair /\v<at[ \t]+most>/
syntax match cardgamePair /\v<at[ \t]+once>/
syntax match cardgamePair /\v<in[ \t]+turn>/
syntax match cardgamePair /\v<only[ \t]+if>/
syntax match cardgamePair /\v<seen[ \t]+by>/
syntax match cardgamePair /\v<such[ \t]+that>/
syntax match cardgamePair /\v<up[ \t]+to>/
syntax match cardgameSection /\v^%(about|add|card|cardgame|deck|define|enum|extends|game|in|invariant|option|phase|play|remove|replace|result|set|state|teams|use|whenever|zones)>/
syntax match cardgameNumber /\v<[0-9]+>/
syntax match cardgameOperator /\v\=\=|!\=|\<\=|\>\=|\+\=|-\=|-\>|\.\.|[-+*\/<>=|]/
syntax match cardgameValue /\v\{[^}"]*\}/ contained
syntax region cardgameString start=/"/ end=/"\|$/ oneline contains=cardgameValue
syntax match cardgameTag /\v\s\zs\[[A-Z]+[0-9]+[a-z]?%(%(-|,[ \t]*)[A-Z]*[0-9]+[a-z]?)*\]%(\s*%(#.*)?$)@=/
syntax match cardgameComment /#.*/
highlight default link cardgameSection Statement
highlight default link cardgameKeyword Keyword
highlight default link cardgameConstant Constant
highlight default link cardgamePair Keyword
highlight default link cardgameNumber Number
highlight default link cardgameOperator Operator
highlight default link cardgameString String
highlight default link cardgameValue Special
highlight default link cardgameTag Label
highlight default link cardgameComment Comment
let b:current_syntax = "cardgame"
