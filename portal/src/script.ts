/**
 * Script of all pages. Pages work without it: it moves the banners, prevents sending a form twice, sends the form to the router of the client,
 * and polls the state of an order without reloading the page.
 */
export const script = `'use strict';
for (const list of document.querySelectorAll('.slides')) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still || list.children.length < 2) continue;
  let held = false;
  for (const name of ['pointerenter', 'focusin']) list.addEventListener(name, () => { held = true; });
  for (const name of ['pointerleave', 'focusout']) list.addEventListener(name, () => { held = false; });
  setInterval(() => {
    if (held) return;
    const next = list.scrollLeft + list.clientWidth;
    list.scrollTo({ left: next + 1 >= list.scrollWidth ? 0 : next });
  }, 5000);
}
for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = '1';
    setTimeout(() => { delete form.dataset.sent; }, 4000);
  });
}
for (const form of document.querySelectorAll('form[data-auto]')) form.requestSubmit();
for (const pay of document.querySelectorAll('.pay[data-refresh]')) {
  const ask = async () => {
    try {
      const reply = await fetch(pay.dataset.state);
      if (!(await reply.text()).includes('data-refresh=')) return location.replace(pay.dataset.state);
    } catch {}
    setTimeout(ask, 1000 * pay.dataset.refresh);
  };
  setTimeout(ask, 1000 * pay.dataset.refresh);
}
`;
