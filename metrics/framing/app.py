"""The demo of Framing: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("framing")

if __name__ == "__main__":
    demo.launch()
