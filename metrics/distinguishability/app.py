"""The demo of Distinguishability: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("distinguishability")

if __name__ == "__main__":
    demo.launch()
