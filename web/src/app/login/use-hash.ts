import { store } from '../../ui/browser/store.ts';

const hash = store(location.hash);
const update = () => hash.set(location.hash);
window.addEventListener('hashchange', update);
window.addEventListener('popstate', update);

/** `#reset`, `#agreement`, `#privacy`: screens of the login page that the back button supports. */
export const useHash = hash.use;

export const toLogin = () => {
  history.replaceState(null, '', '/login');
  update();
};

export const toReset = () => {
  history.pushState(null, '', '/login#reset');
  update();
};
