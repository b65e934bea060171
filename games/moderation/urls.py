"""The addresses of reporting, and of what was decided about oneself."""

from django.urls import path

from games.moderation import views

urlpatterns = [
    path("report/match/<slug:slug>/", views.report_match, name="report_match"),
    path("report/player/<path:username>/", views.report_player, name="report_player"),
    path("report/chat/<int:number>/", views.report_line, name="report_line"),
    path("decisions/", views.decisions, name="decisions"),
    path("decisions/read/", views.decisions_read, name="decisions_read"),
]
