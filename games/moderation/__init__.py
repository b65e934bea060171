"""Reports of people, and what those who look after the site do about them."""
