"""What somebody needs who runs the site: whether it lives, whether it is ready, and figures of what it does."""
