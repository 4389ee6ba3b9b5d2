"""The command line: the command group, the commands, and the modules that they share."""
