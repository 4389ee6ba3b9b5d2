// Generated from the grammar of cardgame files by `python -m grammar.highlighting`.
const rules = [
  {
    "style": "comment",
    "regex": "#.*",
    "lineStart": false
  },
  {
    "style": "labelName",
    "regex": "[ \\t]+\\[[A-Z]+[0-9]+[a-z]?(?:(?:-|,[ \\t]*)[A-Z]*[0-9]+[a-z]?)*\\](?=[ \\t]*(?:#.*)?$)",
    "lineStart": false
  },
  {
    "style": "string",
    "regex": "\"[^\"\\r\\n]*\"?",
    "lineStart": false
  },
  {
    "style": "definitionKeyword",
    "regex": "\\b(?:about|add|card|cardgame|deck|define|enum|extends|game|in|invariant|option|phase|play|remove|replace|result|set|state|teams|use|whenever|zones)\\b",
    "lineStart": true
  },
  {
    "style": "keyword",
    "regex": "\\bat[ \\t]+least\\b|\\bat[ \\t]+most\\b|\\bat[ \\t]+once\\b|\\bin[ \\t]+turn\\b|\\bonly[ \\t]+if\\b|\\bseen[ \\t]+by\\b|\\bsuch[ \\t]+that\\b|\\bup[ \\t]+to\\b",
    "lineStart": false
  },
  {
    "style": "atom",
    "regex": "\\b(?:true|false|none)\\b",
    "lineStart": false
  },
  {
    "style": "keyword",
    "regex": "\\b(?:about|add|card|cardgame|deck|define|enum|extends|game|in|invariant|option|phase|play|remove|replace|result|set|state|teams|use|whenever|zones|action|after|all|among|and|any|before|bottom|but|by|cards|case|chooses|deal|each|else|empty|end|every|exactly|face|first|for|from|has|highest|if|into|is|last|let|lowest|match|mod|move|named|no|not|nothing|of|openly|or|otherwise|player|random|reopen|repeat|rounded|say|secretly|show|shuffle|some|swap|the|then|to|together|top|turn|until|where|while|with|written)\\b",
    "lineStart": false
  },
  {
    "style": "variableName",
    "regex": "[A-Za-z_][A-Za-z0-9_]*",
    "lineStart": false
  },
  {
    "style": "number",
    "regex": "[0-9]+",
    "lineStart": false
  },
  {
    "style": "operator",
    "regex": "==|!=|<=|>=|\\+=|-=|->|\\.\\.|[-+*/<>=|]",
    "lineStart": false
  },
  {
    "style": "punctuation",
    "regex": "[()\\[\\],.:]",
    "lineStart": false
  }
];
for (const rule of rules) rule.regex = new RegExp("^(?:" + rule.regex + ")");

export const cardgame = {
  name: "cardgame",
  token(stream) {
    const rule = rules.find((rule) => (!rule.lineStart || stream.sol()) && stream.match(rule.regex));
    if (!rule && !stream.eatSpace()) stream.next();
    return rule ? rule.style : null;
  },
};
