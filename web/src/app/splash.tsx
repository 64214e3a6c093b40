import { Mark, productName } from './brand.tsx';

/** The loading screen of index.html once more, while the first page is fetched. */
export const Splash = () => (
  <div className="splash" role="status" aria-label={productName}>
    <Mark size={44} />
  </div>
);
