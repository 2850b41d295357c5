"""The demo of Omission of Serious Matters: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("omission")

if __name__ == "__main__":
    demo.launch()
