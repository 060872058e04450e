cd /work/wt/images
export DATA_DIR=/tmp/images-demo PORT=3871
exec timeout 560 node24 scripts/demo.ts
