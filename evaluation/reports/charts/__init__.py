"""The charts of the verdict page, from pictures to drawings kept on disk."""
