"""The demo of Equal Coverage: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("equal_coverage")

if __name__ == "__main__":
    demo.launch()
