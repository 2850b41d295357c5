"""The demo of AUC: what the Space shows."""

from fairsum_utils.hub.demo_app import representation_demo

demo = representation_demo("auc")

if __name__ == "__main__":
    demo.launch()
