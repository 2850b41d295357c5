"""The demo of Regard: what the Space shows."""

from fairsum_utils.hub.space_app import build_demo

demo = build_demo("regard")

if __name__ == "__main__":
    demo.launch()
