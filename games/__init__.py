"""The bundled games: data, one `.cardgame` a game, with its scenarios beside it."""
