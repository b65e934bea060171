/** Says on the page what went wrong with a passkey; allauth's own script only tells the console. */

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  for (const place of document.querySelectorAll("[data-passkey-error]")) place.hidden = false;
});

for (const button of document.querySelectorAll("[data-needs-passkeys]")) {
  if (!("PublicKeyCredential" in window)) button.hidden = true;
}
