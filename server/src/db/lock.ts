/** Advisory locks `(7206, n)`. Each purpose has its own number: work that waits for another purpose may wait for hours. */
export const lockGroup = 7206;
export const locks = { brokerLeader: 1, portalDispatch: 2, portalBundles: 3, fileDispatch: 4, dpiDispatch: 5 } as const;
