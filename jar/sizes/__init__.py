"""How many tables a question needs: probabilities of sets of tables, and what is chosen by them."""
