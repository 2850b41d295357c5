"""The demo of Misattribution: what the Space shows."""

from fairsum_utils.integrations.space import build_demo

demo = build_demo("misattribution")

if __name__ == "__main__":
    demo.launch()
