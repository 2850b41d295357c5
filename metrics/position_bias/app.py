"""The demo of Position Bias: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("position_bias")

if __name__ == "__main__":
    demo.launch()
