from tests.annotation.api.conftest import Programs, program

__all__ = ["Programs", "program"]
