"""The page in the browser: its files, and stories of people who play with it."""
