from django.apps import apps
from django.contrib import admin
from django.contrib.admin.apps import AdminConfig


class SiteAdminConfig(AdminConfig):
    """Django's admin without the queue's own pages: they show the text of stored exceptions, which may quote a hand."""

    def ready(self) -> None:
        super().ready()
        for model in apps.get_app_config("dj_queue").get_models():
            if admin.site.is_registered(model):
                admin.site.unregister(model)
