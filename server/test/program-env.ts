/** Environment of a started program: no settings of this one. The cache of compiled code saves each start some seconds. */
export const programEnv = {
  PATH: process.env.PATH,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
