"""What Skipscan saves, measured: one folder per question, each with a quick form."""
