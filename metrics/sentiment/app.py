"""The demo of Sentiment: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("sentiment")

if __name__ == "__main__":
    demo.launch()
