"""What people like: looks, hands, sounds, keys. Described once (catalogue.py, controls.py), kept per account in the
database and, for everybody else, in a cookie of the browser (values.py has the one text form of both)."""
