"""Results for people: tables and sentences, as aligned text or Markdown. Only here are numbers rounded."""
