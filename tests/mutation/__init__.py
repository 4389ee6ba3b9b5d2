"""Tests of mutation testing."""
