"""The stands: what those see who only watch. The television with its thumbnails, the chat, and what they choose."""
