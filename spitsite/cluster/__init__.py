"""The shape of many processes on one machine, for a trial, for tests and for measuring."""
