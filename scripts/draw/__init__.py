"""Draws boards, pages and screens at random, with known truth. See scripts/README.md."""
