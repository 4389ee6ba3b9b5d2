"""Texts for states and actions: names, sentences, events, reasons of refusals."""
