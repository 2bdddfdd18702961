/* global document */
// Replaces the messaging network's login widget for the development bot: a link where its button would be.
const { currentScript: script } = document;
const page = new URL('/dev/identity/messaging', script.src);
page.searchParams.set('return_to', script.dataset.authUrl);
const link = Object.assign(document.createElement('a'), {
  id: 'imitated-login',
  href: page.href,
  textContent: 'Log in with the imitated network',
});
script.after(link);
