FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN useradd --system --home-dir /site site
WORKDIR /site

COPY requirements.txt .
RUN pip install --require-hashes -r requirements.txt

COPY . .
RUN pybabel --quiet compile --directory belote_site/locale --domain django \
    && BELOTE_ENV=production BELOTE_ORIGINS=https://belote.example \
       BELOTE_SECRET_KEY=used-while-building-only-0123456789-abcdefghijklmnopqrstuvwxyz \
       python manage.py collectstatic --no-input --verbosity 0

USER site
EXPOSE 8000
CMD ["python", "-m", "belote_site.server", "--bind", "0.0.0.0", "--port", "8000"]
