import { store } from '../../ui/store.ts';

const hash = store(location.hash);
const look = () => hash.set(location.hash);
window.addEventListener('hashchange', look);
window.addEventListener('popstate', look);

/** `#reset`, `#agreement`, `#privacy`: the door's screens are places that the back button knows. */
export const useHash = hash.use;

export const toLogin = () => {
  history.replaceState(null, '', '/login');
  look();
};

export const toReset = () => {
  history.pushState(null, '', '/login#reset');
  look();
};
