" Generated from the grammar of scenarios files by `python -m grammar.highlighting`.
if exists("b:current_syntax")
  finish
endif
syntax keyword scenariosKeyword scenario scenarios add after all among and before bottom by can cannot card cards chance deal does each else empty end every expect first for from given has highest holds if in is last lowest match mod move no not nothing of option or play player random remove repeat replace rounded say set show shuffle some start swap teams the then top turn use where
syntax keyword scenariosConstant true false none
syntax match scenariosPair /\v<can[ \t]+only>/
syntax match scenariosPair /\v<game[ \t]+over>/
syntax match scenariosPair /\v<shown[ \t]+to>/
syntax match scenariosPair /\v<the[ \t]+rest>/
syntax match scenariosPair /\v<to[ \t]+act>/
syntax match scenariosSection /\v^%(scenario|scenarios)>/
syntax match scenariosNumber /\v<[0-9]+>/
syntax match scenariosOperator /\v\=\=|!\=|\<\=|\>\=|\+\=|-\=|-\>|\.\.|[-+*\/<>=|]/
syntax match scenariosValue /\v\{[^}"]*\}/ contained
syntax region scenariosString start=/"/ end=/"\|$/ oneline contains=scenariosValue
syntax match scenariosTag /\v\s\zs\[[A-Z]+[0-9]+[a-z]?%(%(-|,[ \t]*)[A-Z]*[0-9]+[a-z]?)*\]%(\s*%(#.*)?$)@=/
syntax match scenariosComment /#.*/
highlight default link scenariosSection Statement
highlight default link scenariosKeyword Keyword
highlight default link scenariosConstant Constant
highlight default link scenariosPair Keyword
highlight default link scenariosNumber Number
highlight default link scenariosOperator Operator
highlight default link scenariosString String
highlight default link scenariosValue Special
highlight default link scenariosTag Label
highlight default link scenariosComment Comment
let b:current_syntax = "scenarios"
