"""How an answer is made of proven quotes: pure functions of values, no model and no server in sight."""
