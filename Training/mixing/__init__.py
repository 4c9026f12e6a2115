"""The mixer: from clean recordings to what a microphone might have heard."""
