"""How days are written, by language, where Django's own way is not that of the pages' scripts."""
