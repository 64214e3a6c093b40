// Runs before the first paint, so that a chosen theme does not flash the other one.
(() => {
  const chosen = localStorage.getItem('farlink-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
