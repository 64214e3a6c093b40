import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../kit/chrome/lang.ts';

export const productName = 'Farlink 远联';

export const product: Text = ['卫星宽带网关运营平台', 'Satellite broadband gateway console'];

export const titled = (page?: string) => (page ? `${page} · ${productName}` : productName);

/** A planet, two orbits, and a satellite on the outer one. */
export const Mark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#1d4fd8" />
    <circle cx="10.5" cy="21.5" r="4.4" fill="#fff" />
    <path d="M10.5 12.7a8.8 8.8 0 0 1 8.8 8.8M10.5 6.7a14.8 14.8 0 0 1 14.8 14.8" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    <circle cx="20.97" cy="11.03" r="3.7" fill="#1d4fd8" />
    <circle cx="20.97" cy="11.03" r="2.4" fill="#a9c6ff" />
  </svg>
);

export const Wordmark = () => (
  <span className="wordmark">
    Farlink<span lang="zh">远联</span>
  </span>
);

export const Footer = () => (
  <footer className="foot">
    © {new Date().getFullYear()} {productName} · {t(product)}
  </footer>
);
