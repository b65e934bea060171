# The site as an image: one for server processes, workers and beat. `compose.yaml` puts them together;
# alone it is the whole site in one process, with its database in the volume:
#   docker build -t spit . && docker run -p 8000:8000 -v spit:/var/lib/spit spit

FROM python:3.12-slim AS packages
RUN python -m venv /venv
COPY requirements/base.txt /tmp/
RUN /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /tmp/base.txt

FROM python:3.12-slim
RUN useradd --system --uid 10001 --no-create-home --home-dir /site spit \
    && install --directory --owner=spit --mode=0750 /var/lib/spit
COPY --from=packages /venv /venv
COPY . /site
WORKDIR /site
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=spitsite.settings \
    VAR_DIR=/var/lib/spit LOG_FORMAT=json
RUN python -m compileall -q /site
USER spit
# So that a container need not do it at its start. The key is for this step alone and is kept nowhere.
RUN SECRET_KEY=none python -c "import django; django.setup(); from spitsite import static; static.collect()"
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0"]
