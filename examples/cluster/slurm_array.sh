#!/bin/bash
#SBATCH --job-name=fairsum
#SBATCH --array=1-64
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
#
# A large file on SLURM: each task of an array scores one of 64 parts, and a last job makes the results of all.
#
#   sbatch slurm_array.sh summaries.parquet /shared/rows --metrics bur,uer
#   sbatch --dependency=afterok:JOB --wrap "fairsum score /shared/rows --output results.json"
#
# The file and the folder must be where all nodes see them; an address such as s3://bucket/rows will do. The last job
# finds the run by itself if the folder holds no other. A task that was stopped goes on where it stood:
# sbatch --array=3,17 with the rest of the line as before. For a model add to the lines above --gres=gpu:1, and to the
# command --device cuda.
set -euo pipefail

file=$1 rows=$2
parts=${PARTS:-64} # as many as the array has
exec fairsum score "$file" --rows "$rows" --only "$SLURM_ARRAY_TASK_ID/$parts" "${@:3}"
