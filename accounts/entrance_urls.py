"""Addresses of the way in. django-allauth looks its pages up by these names; what it has besides is not offered."""

from allauth.account import views as allauth
from django.urls import path, re_path

from accounts import entrance, second_factor_pages

urlpatterns = [
    path("login/", entrance.LogIn.as_view(), name="account_login"),
    path("signup/", entrance.SignUp.as_view(), name="account_signup"),
    path("logout/", allauth.LogoutView.as_view(), name="account_logout"),
    path("inactive/", allauth.AccountInactiveView.as_view(), name="account_inactive"),
    path("password/change/", entrance.ChangePassword.as_view(), name="account_change_password"),
    path("password/confirm/", entrance.ConfirmPassword.as_view(), name="account_reauthenticate"),
    path("password/reset/", entrance.ResetPassword.as_view(), name="account_reset_password"),
    path("password/reset/done/", allauth.PasswordResetDoneView.as_view(), name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[0-9A-Za-z-]{1,100})/$",
        entrance.NewPassword.as_view(),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        allauth.PasswordResetFromKeyDoneView.as_view(),
        name="account_reset_password_from_key_done",
    ),
    path("email/", entrance.Email.as_view(), name="account_email"),
    re_path(r"^email/confirm/(?P<key>[-:\w]{1,200})/$", entrance.ConfirmEmail.as_view(), name="account_confirm_email"),
    path("second-factor/", second_factor_pages.Overview.as_view(), name="mfa_index"),
    path("second-factor/set-up/", second_factor_pages.SetUp.as_view(), name="mfa_activate_totp"),
    path("second-factor/turn-off/", second_factor_pages.TurnOff.as_view(), name="mfa_deactivate_totp"),
    path("second-factor/recovery-codes/", second_factor_pages.RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path(
        "second-factor/recovery-codes/new/",
        second_factor_pages.NewRecoveryCodes.as_view(),
        name="mfa_generate_recovery_codes",
    ),
    path("second-factor/code/", second_factor_pages.GiveCode.as_view(), name="mfa_authenticate"),
]
