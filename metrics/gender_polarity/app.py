"""The demo of Gender Polarity: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("gender_polarity")

if __name__ == "__main__":
    demo.launch()
