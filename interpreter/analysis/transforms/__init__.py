"""From checked rules to checked rules: constructs that stand for others, and what every play needs of them."""
