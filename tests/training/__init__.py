"""Tests of trained policies."""
