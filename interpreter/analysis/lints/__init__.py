"""What is asked of checked rules as a whole: what is refused though its parts are sound, and what is only warned of."""
