// Generated from the grammar of scenarios files by `python -m grammar.highlighting`.
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
    "regex": "\\b(?:scenario|scenarios)\\b",
    "lineStart": true
  },
  {
    "style": "keyword",
    "regex": "\\bcan[ \\t]+only\\b|\\bgame[ \\t]+over\\b|\\bshown[ \\t]+to\\b|\\bthe[ \\t]+rest\\b|\\bto[ \\t]+act\\b",
    "lineStart": false
  },
  {
    "style": "atom",
    "regex": "\\b(?:true|false|none)\\b",
    "lineStart": false
  },
  {
    "style": "keyword",
    "regex": "\\b(?:scenario|scenarios|add|after|all|among|and|before|bottom|by|can|cannot|card|cards|chance|deal|does|each|else|empty|end|every|expect|first|for|from|given|has|highest|holds|if|in|is|last|lowest|match|mod|move|no|not|nothing|of|option|or|play|player|random|remove|repeat|replace|rounded|say|set|show|shuffle|some|start|swap|teams|the|then|top|turn|use|where)\\b",
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

export const scenarios = {
  name: "scenarios",
  token(stream) {
    const rule = rules.find((rule) => (!rule.lineStart || stream.sol()) && stream.match(rule.regex));
    if (!rule && !stream.eatSpace()) stream.next();
    return rule ? rule.style : null;
  },
};
